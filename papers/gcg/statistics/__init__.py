"""What this paper's claims measure beyond the shared statistics."""
