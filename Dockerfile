# The API of graphmem; Neo4j runs in a container of its own (docker-compose.yml).
FROM python:3.11-slim-bookworm AS build
WORKDIR /src
COPY pyproject.toml README.md LICENSE ./
COPY graphmem graphmem
COPY api api
COPY cypher cypher
RUN python -m venv /opt/graphmem && /opt/graphmem/bin/pip install --no-cache-dir ".[mcp]"

FROM python:3.11-slim-bookworm
# model endpoints are checked against the certificates of the system
RUN apt-get update \
    && apt-get install --yes --no-install-recommends ca-certificates \
    && rm -rf /var/lib/apt/lists/* \
    && useradd --create-home --uid 10001 graphmem
COPY --from=build /opt/graphmem /opt/graphmem
ENV PATH=/opt/graphmem/bin:$PATH PYTHONUNBUFFERED=1 PYTHONDONTWRITEBYTECODE=1 OMP_NUM_THREADS=1
USER graphmem
WORKDIR /home/graphmem
EXPOSE 8080
CMD ["graphmem", "serve"]
