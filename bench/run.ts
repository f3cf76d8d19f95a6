// `npm run bench`: what webhooks take (docs/developing.md); `npm run bench -- pages ...`: what people at their pages wait for.
const [, , first] = process.argv
if (first === 'pages') process.argv.splice(2, 1)
await import(first === 'pages' ? './pages/run.ts' : './webhooks-run.ts')
