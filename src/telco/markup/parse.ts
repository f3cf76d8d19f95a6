import { SaxesParser } from 'saxes'

/** One element of a markup document. `text` is its own text, without that of the elements in it. */
export interface MarkupElement {
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
  readonly line: number
  readonly parent: MarkupElement | undefined
  readonly children: MarkupElement[]
  text: string
}

/** The elements in the order of the document, the root first; or why it is no XML that the provider reads. */
type ParsedMarkup = { readonly elements: readonly MarkupElement[] } | { readonly problem: string }

/** Reads a document strictly: what is not well-formed ends the call at the provider. Expands no entities of its own. */
export function parseMarkup(xml: string): ParsedMarkup {
  const elements: MarkupElement[] = []
  let open: MarkupElement | undefined
  let problem: string | undefined
  const parser = new SaxesParser({ position: true })
  const report = (message: string): void => {
    problem ??= message
  }
  parser.on('error', (error) => report(withPlace(error.message)))
  parser.on('doctype', () => report(`Line ${parser.line}: a document type is not allowed.`))
  parser.on('processinginstruction', () => report(`Line ${parser.line}: a processing instruction is not allowed.`))
  parser.on('opentag', (tag) => {
    const attributes = Object.fromEntries(Object.entries(tag.attributes).map(([name, value]) => [name, String(value)]))
    const element: MarkupElement = {
      name: tag.name,
      attributes,
      line: parser.line,
      parent: open,
      children: [],
      text: '',
    }
    open?.children.push(element)
    elements.push(element)
    open = element
  })
  parser.on('closetag', () => {
    open = open?.parent
  })
  const addText = (text: string): void => {
    if (open !== undefined) open.text += text
  }
  parser.on('text', addText)
  parser.on('cdata', addText)
  parser.write(xml).close()
  return problem === undefined ? { elements } : { problem }
}

/** The parser says `3:14: unclosed tag: Say`. */
function withPlace(message: string): string {
  const match = /^(\d+):(\d+): (.*?)\.?$/s.exec(message)
  return match === null ? message : `Line ${match[1]}, column ${match[2]}: ${match[3]}.`
}
