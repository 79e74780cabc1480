"""Belfry beside other servers, and one build beside another."""
