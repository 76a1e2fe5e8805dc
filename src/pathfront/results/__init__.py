"""What results are made of: statistics, tables, and files."""
