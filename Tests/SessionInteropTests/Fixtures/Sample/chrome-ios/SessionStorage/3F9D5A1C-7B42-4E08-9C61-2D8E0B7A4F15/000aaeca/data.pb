"OM
#https://mail.example.org/message/17Opened from the first tab"	€ìøîÎßİ(