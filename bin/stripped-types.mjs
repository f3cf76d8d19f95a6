// Given to Node with `--require`: the service's TypeScript without its types, kept in node_modules/.cache/stripped. Node's own
// cache of compiled code does that too, but keeps all it has read in memory (15 MB) for as long as the process lives; what strips types
// takes as much once it is loaded, so a process that finds something missing has another one do it.
// `node bin/stripped-types.mjs` strips everything beforehand, where the service may not write there.
import { spawnSync } from 'node:child_process'
import { hash } from 'node:crypto'
import { accessSync, constants, globSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { registerHooks, stripTypeScriptTypes } from 'node:module'
import path from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const root = path.dirname(import.meta.dirname)
const store = path.join(root, 'node_modules/.cache/stripped')
const code = pathToFileURL(path.join(root, 'src/')).href
let hasAsked = false

if (import.meta.main) {
  for (const file of globSync('src/**/*.ts', { cwd: root, exclude: (name) => name.endsWith('.d.ts') })) {
    stripped(path.join(root, file))
  }
} else {
  registerHooks({
    load(url, context, next) {
      if (!url.startsWith(code) || !url.endsWith('.ts')) return next(url, context)
      return { format: 'module', source: stripped(fileURLToPath(url)), shortCircuit: true }
    },
  })
}

function stripped(file) {
  const source = readFileSync(file, 'utf8')
  // Another version of Node may strip otherwise. At the end, so that lines keep their numbers.
  const mark = `\n// ${hash('sha256', process.version + source)}`
  const kept = path.join(store, path.relative(root, file))
  const found = read(kept, mark)
  if (found !== undefined) return found
  if (!import.meta.main && !hasAsked && canKeep()) {
    hasAsked = true
    spawnSync(process.execPath, [import.meta.filename], { stdio: 'ignore' })
    return stripped(file)
  }
  const text = strip(source)
  if (import.meta.main) keep(kept, text + mark)
  return text
}

/** Whether another process would help: where nothing may be written it strips in vain. */
function canKeep() {
  try {
    mkdirSync(store, { recursive: true })
    accessSync(store, constants.W_OK)
    return true
  } catch {
    return false
  }
}

function read(kept, mark) {
  try {
    const text = readFileSync(kept, 'utf8')
    return text.endsWith(mark) ? text : undefined
  } catch {
    return undefined
  }
}

/** As Node itself does it when nobody helps. It warns that the function for it may change; it comes with the pinned Node. */
function strip(source) {
  const { emitWarning } = process
  process.emitWarning = () => undefined
  try {
    return stripTypeScriptTypes(source)
  } finally {
    process.emitWarning = emitWarning
  }
}

function keep(kept, text) {
  try {
    mkdirSync(path.dirname(kept), { recursive: true })
    // Whole or not at all: another process may be reading.
    const making = `${kept}.${process.pid}`
    writeFileSync(making, text)
    renameSync(making, kept)
  } catch {
    // Where nothing may be written it is stripped at each start.
  }
}
