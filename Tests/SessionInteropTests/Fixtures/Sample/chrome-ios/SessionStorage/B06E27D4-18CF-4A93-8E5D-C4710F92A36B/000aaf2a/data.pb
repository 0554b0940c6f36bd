"ÍO
https://museum.example.org/#MusÃ©e des Confluences â€” horaires"	€´Ç£ÜßÝ(x
#https://museum.example.org/horaires#MusÃ©e des Confluences â€” horaires"	À¸„¤ÜßÝ(2
https://museum.example.org/