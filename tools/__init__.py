"""What only tests and documents use."""
