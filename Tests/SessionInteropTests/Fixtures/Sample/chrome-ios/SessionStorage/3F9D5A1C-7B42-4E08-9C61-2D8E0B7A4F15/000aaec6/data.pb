"RP
&https://calendar.example.org/week?l=arØªÙ‚ÙˆÙŠÙ… Ø§Ù„Ø£Ø³Ø¨ÙˆØ¹"	€ìøîÎßİ(