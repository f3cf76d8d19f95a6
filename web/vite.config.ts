import { defineConfig } from 'vite'

export default defineConfig({
  // The service answers /assets/; whatever else is asked for is the start document.
  base: '/',
  publicDir: false,
  // Whoever starts the service may have said otherwise in NODE_ENV.
  define: { 'process.env.NODE_ENV': JSON.stringify('production') },
  oxc: { jsx: { runtime: 'automatic', development: false } },
  css: { modules: { localsConvention: 'camelCaseOnly' } },
  build: {
    target: 'es2023',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: {
      output: {
        // What seldom changes is in chunks of its own, so that a change of ours does not load it anew.
        codeSplitting: {
          groups: [
            { name: 'react', test: /node_modules\/(?:react|react-dom|scheduler)\// },
            { name: 'tanstack', test: /node_modules\/@tanstack\/(?:react-)?(?:router|query|store|history)/ },
          ],
        },
      },
    },
  },
})
