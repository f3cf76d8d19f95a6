import { SaxesParser } from 'saxes'

/** One element of a document as this emulator reads it. `text` is its own text, without that of the elements in it. */
export interface MarkupElement {
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
  readonly children: readonly MarkupElement[]
  readonly text: string
}

interface OpenElement {
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
  readonly children: MarkupElement[]
  text: string
}

/** The root of a document, or why the provider could not read it (its error 12100). */
export function readElements(xml: string): { readonly root: MarkupElement } | { readonly problem: string } {
  const open: OpenElement[] = []
  let root: MarkupElement | undefined
  const parser = new SaxesParser()
  parser.on('error', (error) => {
    throw error
  })
  parser.on('doctype', () => {
    throw new Error('a document type is not read')
  })
  parser.on('opentag', ({ name, attributes }) => {
    const element: OpenElement = {
      name,
      attributes: Object.fromEntries(Object.entries(attributes).map(([key, value]) => [key, String(value)])),
      children: [],
      text: '',
    }
    open.at(-1)?.children.push(element)
    root ??= element
    open.push(element)
  })
  parser.on('closetag', () => void open.pop())
  for (const event of ['text', 'cdata'] as const) {
    parser.on(event, (text) => {
      const element = open.at(-1)
      if (element !== undefined) element.text += text
    })
  }
  try {
    parser.write(xml).close()
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) }
  }
  return root === undefined ? { problem: 'the document is empty' } : { root }
}
