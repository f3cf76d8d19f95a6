// Reads which elements, attributes, words, languages and voices the provider's SDK declares for voice markup, and writes
// them as data for the emulator's reader: `node emulators/sources/markup-from-sdk.ts [file]`. Names alone, no prose.
import { readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'

/** What an attribute takes: `text`, `number`, `boolean`, or the name of a list of words, `*` behind it for several. */
interface ElementData {
  attributes: Record<string, string>
  children: string[]
  /** Whether the builder takes text for it. */
  text: boolean
}

const require = createRequire(import.meta.url)
const target = process.argv[2] ?? path.join(import.meta.dirname, '../telco/markup/language.json')
const declarations = readSdk('twilio/lib/twiml/VoiceResponse.d.ts')
const builder = readSdk('twilio/lib/twiml/VoiceResponse.js')
const { version } = JSON.parse(readSdk('twilio/package.json'))
writeFileSync(target, `${JSON.stringify(describeLanguage(), undefined, 2)}\n`)

function readSdk(file: string): string {
  return readFileSync(require.resolve(file), 'utf8')
}

function describeLanguage() {
  const interfaces = readInterfaces()
  const elements = new Map<string, ElementData>()
  const elementOf = (name: string): ElementData => {
    const element = elements.get(name) ?? { attributes: {}, children: [], text: false }
    elements.set(name, element)
    return element
  }
  const nestings = readNestings()
  const written = new Map([
    ['VoiceResponse', 'Response'],
    ...nestings.map(({ childClass, child }) => [childClass, child] as const),
  ])
  for (const { parentClass, childClass, child } of nestings) {
    const parent = elementOf(written.get(parentClass) ?? '')
    const { attributes, takesText } = signatureOf(parentClass, childClass, interfaces)
    const element = elementOf(child)
    Object.assign(element.attributes, attributes)
    element.text ||= takesText
    if (!parent.children.includes(child)) parent.children.push(child)
  }
  return {
    source: `twilio ${version} (npm), lib/twiml/VoiceResponse.d.ts and .js`,
    words: readWords(),
    elements: Object.fromEntries([...elements].sort(([a], [b]) => (a < b ? -1 : 1))),
  }
}

/** Every list of words that has a name: `type RejectReason = "rejected" | "busy"`. */
function readWords(): Record<string, string[]> {
  const found = [...declarations.matchAll(/^ {4}type (\w+) = ("[^;]*);$/gm)]
  return Object.fromEntries(found.map(([, name = '', union = '']) => [name, listWords(union)]))
}

function listWords(union: string): string[] {
  return [...union.matchAll(/"([^"]*)"/g)].map(([, word = '']) => word)
}

/** Attributes of each `…Attributes` of the SDK, by their name in the markup. */
function readInterfaces(): Map<string, Record<string, string>> {
  const found = declarations.matchAll(/^ {4}export interface (\w+) \{\n([\s\S]*?)^ {4}\}/gm)
  return new Map([...found].map(([, name = '', body = '']) => [name, readAttributes(body)]))
}

function readAttributes(body: string): Record<string, string> {
  const found = body.matchAll(/^ {8}(?:'|")?([\w:-]+?)(?:'|")?\?: (.+);$/gm)
  return Object.fromEntries([...found].map(([, name = '', type = '']) => [writtenName(name), kindOf(type)]))
}

/** The builder writes `interpretAs` as `interpret-as` and `xmlLang` as `xml:lang`, as SSML has them. */
function writtenName(name: string): string {
  const spelled: Readonly<Record<string, string>> = { interpretAs: 'interpret-as', xmlLang: 'xml:lang' }
  return spelled[name] ?? name
}

function kindOf(type: string): string {
  const isList = type.endsWith('[]')
  const base = type.replace(/\[\]$/, '')
  if (base === 'string') return 'text'
  if (['number', 'boolean', 'object'].includes(base)) return base
  return isList ? `${base}*` : base
}

/** Which element stands in which, as the builder's methods write them. */
function readNestings(): { parentClass: string; childClass: string; child: string }[] {
  const classes = builder.matchAll(/^( {4})?class (\w+) extends TwiML_1\.default \{\n([\s\S]*?)^\1\}/gm)
  return [...classes].flatMap(([, , parentClass = '', body = '']) => {
    const made = body.matchAll(/new VoiceResponse\.(\w+)\(this\.\w+\.ele\("([\w:-]+)"/g)
    return [...made].map(([, childClass = '', child = '']) => ({ parentClass, childClass, child }))
  })
}

/** What the method of `parentClass` that makes a `childClass` takes. */
function signatureOf(
  parentClass: string,
  childClass: string,
  interfaces: ReadonlyMap<string, Record<string, string>>,
): { attributes: Record<string, string>; takesText: boolean } {
  const body = new RegExp(`class ${parentClass} extends TwiML \\{\\n([\\s\\S]*?)\\n {0,4}\\}`).exec(declarations)?.[1]
  const methods = body?.matchAll(new RegExp(`^ +\\w+\\((.*)\\): VoiceResponse\\.${childClass};$`, 'gm'))
  const parameters = [...(methods ?? [])].map(([, each = '']) => each)
  const named = parameters.flatMap((each) => /attributes\??: VoiceResponse\.(\w+)/.exec(each)?.[1] ?? [])
  const attributes = Object.assign({}, ...named.map((name) => interfaces.get(name) ?? {}))
  return { attributes, takesText: parameters.some((each) => /\w+\??: string/.test(each)) }
}
