# Connect in a container: the embedded database and all keys live in the volume /data.
FROM node:24-bookworm-slim

# The pinned Node 26, which comes with the dependencies, is linked against libatomic; slim images lack it.
RUN apt-get update \
  && apt-get install -y --no-install-recommends libatomic1 \
  && rm -rf /var/lib/apt/lists/*

WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --omit=dev

COPY bin bin
COPY src src
COPY samples samples

RUN mkdir -m 0700 /data && chown node:node /data
USER node
ENV HOST=0.0.0.0 PORT=8080 DATA_DIR=/data NODE_ENV=production
VOLUME /data
EXPOSE 8080

HEALTHCHECK --interval=10s --timeout=5s --start-period=60s \
  CMD ["node_modules/.bin/node", "-e", "fetch('http://127.0.0.1:' + process.env.PORT + '/readyz').then((reply) => process.exit(reply.ok ? 0 : 1), () => process.exit(1))"]

# Not through npm, so that SIGTERM reaches the service itself.
CMD ["node_modules/.bin/node", "--max-semi-space-size=8", "src/main.ts"]
