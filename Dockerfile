# The environment of `make env`, and the project in it:
#   docker build -t projfree . && docker run --rm -v "$PWD/reports:/projfree/reports" projfree make quick
FROM python:3.11-slim
RUN apt-get update && apt-get install -y --no-install-recommends git make && rm -rf /var/lib/apt/lists/*
WORKDIR /projfree
COPY . .
RUN make env
ENV PATH="/projfree/.venv/bin:$PATH" OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 MKL_NUM_THREADS=1 NUMBA_NUM_THREADS=1
CMD ["make", "quick"]
