# syntax=docker/dockerfile:1

FROM swift:6.3-bookworm AS build
RUN apt-get update -q \
    && apt-get install -q -y --no-install-recommends \
        libcurl4-openssl-dev libjemalloc-dev libnghttp2-dev libpq-dev libsimdjson-dev libsqlite3-dev libssl-dev \
        pkg-config zlib1g-dev \
    && rm -rf /var/lib/apt/lists/*
WORKDIR /src
COPY . .
RUN swift build -c release --product belfry --static-swift-stdlib \
    && install -D -s "$(swift build -c release --product belfry --static-swift-stdlib --show-bin-path)/belfry" /out/belfry

FROM debian:bookworm-slim
RUN apt-get update -q \
    && apt-get install -q -y --no-install-recommends \
        ca-certificates curl libcurl4 libjemalloc2 libnghttp2-14 libpq5 libsimdjson14 libsqlite3-0 libssl3 libstdc++6 \
        tzdata zlib1g \
    && rm -rf /var/lib/apt/lists/* \
    && groupadd --system --gid 10001 belfry \
    && useradd --system --uid 10001 --gid belfry --home-dir /var/lib/belfry --no-create-home belfry \
    && install -d -o belfry -g belfry -m 0700 /var/lib/belfry \
    && install -d -o belfry -g belfry -m 0750 /run/belfry
COPY --from=build /out/belfry /usr/local/bin/belfry
COPY Config/belfry.yaml /etc/belfry/belfry.yaml
COPY Config/catalogs /etc/belfry/catalogs

# Variables win over the configuration file. The socket has a folder of its own, so that a backend in another container
# can be given the socket without the data.
ENV BELFRY_LISTEN=0.0.0.0:8080 \
    BELFRY_OPS=0.0.0.0:9090 \
    BELFRY_DATA=/var/lib/belfry \
    BELFRY_SOCKET=/run/belfry/belfry.sock
USER belfry
WORKDIR /var/lib/belfry
VOLUME ["/var/lib/belfry", "/run/belfry"]
EXPOSE 8080 9090
HEALTHCHECK --interval=10s --timeout=3s --start-period=10s --retries=3 \
    CMD ["curl", "-fsS", "-o", "/dev/null", "http://127.0.0.1:9090/readyz"]
ENTRYPOINT ["belfry", "serve", "--config", "/etc/belfry/belfry.yaml"]
