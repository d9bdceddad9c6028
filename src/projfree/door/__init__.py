"""The library's front door: `minimize` and what it takes and gives, for arrays and functions of one's own."""
