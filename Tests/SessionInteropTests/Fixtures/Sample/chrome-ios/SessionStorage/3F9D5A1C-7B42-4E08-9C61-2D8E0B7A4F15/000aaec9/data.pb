"�K
https://weather.example.org/מזג האוויר בחיפה"	�������(r
!https://weather.example.org/haifaמזג האוויר בחיפה"	������(2 
https://weather.example.org/