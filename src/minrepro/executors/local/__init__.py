"""Tests in processes on this machine, with nothing of them left afterwards."""
