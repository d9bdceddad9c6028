"""Numerics: atoms, sampled products, leading singular pairs, spectra and projections."""
