# Both services on Node 24: the licensing service, or as "panel" the panel. Node runs the TypeScript as it is; only the pages are built.
FROM node:24-bookworm-slim AS packages
WORKDIR /opt/daybook
COPY package.json package-lock.json .npmrc ./
# The database is another container: no package here needs its install script.
RUN npm ci --omit=dev --ignore-scripts && npm cache clean --force

FROM packages AS pages
COPY tsconfig.json ./
COPY bin bin
COPY src src
RUN node src/main.ts pages /opt/daybook/pages

FROM packages AS services
# Packages that only the build of the pages needs. The other optional ones stay: the Node of the lock file, and KurrentDB's client.
RUN npm uninstall --no-save --omit=dev --ignore-scripts --offline \
  @base-ui/react @tanstack/react-query @tanstack/react-virtual react react-dom uplot uqr vite wouter

FROM node:24-bookworm-slim
WORKDIR /opt/daybook
ENV NODE_ENV=production
COPY --from=services /opt/daybook ./
COPY bin bin
# The Node that runs is the lock file's, by its hash, wherever a package brings one; the image's own has run npm.
RUN node bin/link-node.mjs
ENV PATH=/opt/daybook/node_modules/.bin:$PATH
COPY src src
COPY projections projections
COPY migrations migrations
COPY --from=pages /opt/daybook/pages pages
ENV PAGES_DIR=/opt/daybook/pages
# A volume there belongs to the user that writes it.
RUN install -d -o node -g node -m 0700 /var/lib/daybook
# A panel that manages the engine it runs on does not stop itself.
LABEL daybook.platform=daybook
USER node
EXPOSE 4000
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s --retries=3 \
  CMD ["node", "-e", "fetch('http://127.0.0.1:4000/api/health').then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
# The signal SIGUSR1 would open Node's inspector.
ENTRYPOINT ["node", "--disable-sigusr1", "bin/daybook.mjs"]
CMD ["licensing"]
