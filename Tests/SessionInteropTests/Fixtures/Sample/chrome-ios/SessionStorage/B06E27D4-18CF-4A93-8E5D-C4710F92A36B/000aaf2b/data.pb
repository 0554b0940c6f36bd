"A?
(https://maps.example.org/@45.73,4.81,15zåœ°å›³"	€´Ç£ÜßÝ(