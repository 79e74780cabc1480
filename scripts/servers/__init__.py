"""Servers of others that scripts and tests start: PostgreSQL and HAProxy."""
