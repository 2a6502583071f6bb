"""The LALR(1) grammar: productions, tables made of them, and the driver that walks these."""
