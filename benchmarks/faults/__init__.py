"""What users are promised, attacked: each command prints how much was tried, survived and lost."""
