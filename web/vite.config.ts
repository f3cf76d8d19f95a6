import { defineConfig, type Plugin } from 'vite'

/** Style sheets stand after the skeleton, which is drawn before they come. */
const skeletonFirst: Plugin = {
  name: 'skeleton-first',
  transformIndexHtml: {
    order: 'post',
    handler: (html) => {
      const sheets = html.match(/<link rel="stylesheet"[^>]*>/g) ?? []
      const rest = sheets.reduce((text, sheet) => text.replace(sheet, ''), html)
      return rest.replace('</body>', `${sheets.join('')}</body>`)
    },
  },
}

export default defineConfig({
  // The service answers /assets/; whatever else is asked for is the start document.
  base: '/',
  publicDir: false,
  plugins: [skeletonFirst],
  // Anyone who starts the service may have said otherwise in NODE_ENV.
  define: { 'process.env.NODE_ENV': JSON.stringify('production') },
  oxc: { jsx: { runtime: 'automatic', development: false } },
  css: { modules: { localsConvention: 'camelCaseOnly' } },
  build: {
    target: 'es2023',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    // Which source is in which file, for the budget.
    manifest: true,
    rolldownOptions: {
      output: {
        // What seldom changes is in chunks of its own, so that a change of ours does not load it anew.
        codeSplitting: {
          groups: [
            { name: 'react', test: /node_modules\/(?:react|react-dom|scheduler)\// },
            { name: 'router', test: /node_modules\/@tanstack\/(?:react-)?(?:router|store|history)/ },
            { name: 'query', test: /node_modules\/@tanstack\/(?:react-)?query/ },
          ],
        },
      },
    },
  },
})
