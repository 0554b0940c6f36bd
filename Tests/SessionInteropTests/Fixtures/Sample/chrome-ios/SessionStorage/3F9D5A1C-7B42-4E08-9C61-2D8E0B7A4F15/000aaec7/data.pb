"ÈT
'https://search.example.org/?q=sourdoughSourdough for beginners ğŸ"	€ìøîÎßİ(t
https://bread.example.org/Sourdough for beginners ğŸ"	ÀğµïÎßİ(2+
'https://search.example.org/?q=sourdoughx
+https://bread.example.org/sourdough#starterSourdough for beginners ğŸ"	€õòïÎßİ(2
https://bread.example.org/