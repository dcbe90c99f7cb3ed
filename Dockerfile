# The image of a server, of a worker and of the operator's commands. compose.yaml shows its use.
FROM node:24.21.0-slim AS build
WORKDIR /src
# Packages are installed again only if these files change.
COPY package.json package-lock.json ./
COPY sandbox/package.json sandbox/
COPY tools/package.json tools/
COPY scripts/install.mjs scripts/
RUN node -e "import('./scripts/install.mjs').then(({ install }) => install())"
COPY . .
RUN npm run pack -- /app

FROM node:24.21.0-slim
ENV NODE_ENV=production HOST=0.0.0.0 MALLOC_ARENA_MAX=2 NPM_CONFIG_UPDATE_NOTIFIER=false
WORKDIR /app
COPY --from=build /app .
# A volume that is mounted here belongs to the server.
RUN install --directory --owner=node --mode=700 /key
USER node
EXPOSE 3000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT||3000}/healthz`).then((r)=>process.exit(+!r.ok))"]
# The flags are those of scripts/run-server.mjs. The server is process 1 and gets signals itself.
CMD ["node", "--min-semi-space-size=8", "--max-semi-space-size=8", "dist/server/main.js"]
