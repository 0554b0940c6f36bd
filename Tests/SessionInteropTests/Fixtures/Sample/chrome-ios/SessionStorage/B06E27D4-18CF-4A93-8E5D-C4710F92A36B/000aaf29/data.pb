"><
https://rail.example.org/lyonTrains to Lyon"	€´Ç£ÜßÝ(