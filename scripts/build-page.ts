// Builds the page into web/dist, for `src/app/page/` at start and for the container image:
//   node scripts/build-page.ts [hash of the sources]
// Several processes may build at once; each builds beside, and the last one to finish puts its folder in place.
import { existsSync, globSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { build } from 'vite'
import { makeReadable } from '../src/app/page/readable-files.ts'
import { DIST, hashOfSources, ROOT } from '../src/app/page/source-hash.ts'

const BYTES_WORTH_COMPRESSING = 400
const WEB = path.join(ROOT, 'web')

const hash = process.argv[2] ?? hashOfSources()
if (hash === undefined) throw new Error('There is nothing to build: web/ has no sources here.')
const folder = mkdtempSync(path.join(WEB, 'dist-'))
try {
  await build({
    root: WEB,
    configFile: path.join(WEB, 'vite.config.ts'),
    logLevel: 'error',
    build: { outDir: folder, emptyOutDir: true },
  })
  await compressAll(folder)
  writeFileSync(path.join(folder, '.hash'), `${hash}\n`)
  makeReadable(folder)
  putInPlace(folder)
} finally {
  rmSync(folder, { recursive: true, force: true })
}

async function compressAll(outDir: string): Promise<void> {
  const files = globSync('**/*.{js,css,svg,json}', { cwd: outDir }).map((file) => path.join(outDir, file))
  await Promise.all(files.map(compress))
}

async function compress(file: string): Promise<void> {
  const bytes = readFileSync(file)
  if (bytes.length < BYTES_WORTH_COMPRESSING) return
  const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }
  const [br, gz] = await Promise.all([
    promisify(brotliCompress)(bytes, quality),
    promisify(gzip)(bytes, { level: constants.Z_BEST_COMPRESSION }),
  ])
  writeFileSync(`${file}.br`, br)
  writeFileSync(`${file}.gz`, gz)
}

/** A folder cannot be renamed onto one that holds something, so the old one steps aside first. */
function putInPlace(built: string): void {
  const old = `${built}-old`
  if (existsSync(DIST)) renameSync(DIST, old)
  renameSync(built, DIST)
  rmSync(old, { recursive: true, force: true })
}
