# Connect in a container. Anyone who runs it mounts /data: the embedded database, if it is used, and all keys live there.
# The base image brings the very Node that package.json pins, so the package `node` with its 211 MB is not installed.
FROM node:26.10.0-bookworm-slim AS dependencies

WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY scripts/prune-image.sh scripts/
RUN npm ci --omit=dev --ignore-scripts
COPY bin bin
COPY scripts scripts
COPY src src
COPY web web
# The page is built once, here; what that is done from and with stays behind.
RUN node scripts/build-page.ts && sh scripts/prune-image.sh

FROM node:26.10.0-bookworm-slim

WORKDIR /app
COPY --from=dependencies /app/node_modules node_modules
COPY package.json package-lock.json .npmrc ./
COPY bin bin
COPY src src
COPY samples samples
COPY --from=dependencies /app/web/dist web/dist

RUN mkdir -m 0700 /data /media && chown node:node /data /media
USER node
ENV HOST=0.0.0.0 PORT=8080 DATA_DIR=/data NODE_ENV=production
EXPOSE 8080

HEALTHCHECK --interval=10s --timeout=5s --start-period=60s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + process.env.PORT + '/healthz').then((reply) => process.exit(reply.ok ? 0 : 1), () => process.exit(1))"]

# Not through npm, so that SIGTERM reaches the service itself.
CMD ["node", "src/main.ts"]
