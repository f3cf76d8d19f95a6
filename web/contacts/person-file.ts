/** Everything that is stored of a person: as a page that people read, and as data for programs. */
import type { QueryClient } from '@tanstack/react-query'
import { callByName } from '../data/client.ts'
import { ApiError } from '../data/errors.ts'
import { fieldsQuery } from '../data/queries.ts'
import { saveFile } from '../files/save-file.ts'
import type { Manner } from '../records/export-rows.ts'
import { worded } from '../records/fields.ts'
import { modelsQuery } from '../records/model-list.ts'
import { labelOf } from '../words/labels.ts'
import { partName } from '../words/program-words.ts'
import { type Fields, PARTS, type Row, rowsOf, type Section, sectionsOf } from './person-sections.ts'

/** What the file says beside the data. */
interface Words {
  title: string
  /** In which zone its times are. */
  zone: string
}

/** Saves the page. */
export async function savePersonFile(
  queries: QueryClient,
  { id, manner, ...words }: Words & { id: number; manner: Manner },
): Promise<void> {
  const all = (await callByName('res.partner', 'export_person', { ids: [id] })) as Row
  const models = await queries.fetchQuery(modelsQuery)
  const fields = new Map<string, Fields>()
  for (const [part, model] of PARTS) {
    if (rowsOf(all[part]).length > 0) fields.set(model, await describedFields(queries, model))
  }
  const sections = sectionsOf(all, {
    manner,
    fieldsOf: (model) => fields.get(model) ?? {},
    // Who may not see the lists of a kind has its records in this file all the same.
    titleOf: (model) => {
      const label = models.find(({ name }) => name === model)?.label
      return label === undefined ? partName(model) : labelOf(label, model)
    },
  })
  saveFile({ name: nameOf(id, words), ending: 'html', type: 'text/html', text: pageOf(sections, words) })
}

/** Saves the same for programs, as the service gives it. */
export async function savePersonData({ id, title }: Pick<Words, 'title'> & { id: number }): Promise<void> {
  const all = await callByName('res.partner', 'export_person', { ids: [id] })
  const text = `${JSON.stringify(all, null, 2)}\n`
  saveFile({ name: nameOf(id, { title }), ending: 'json', type: 'application/json', text })
}

function nameOf(id: number, { title }: Pick<Words, 'title'>): string {
  return title || `contact-${id}`
}

/** Of what has no screen, such as files of notes, nobody is told the fields. */
async function describedFields(queries: QueryClient, model: string): Promise<Fields> {
  try {
    return worded(model, await queries.fetchQuery(fieldsQuery(model)))
  } catch (error) {
    if (error instanceof ApiError && error.kind === 'forbidden') return {}
    throw error
  }
}

/** Built of text nodes: nothing that somebody wrote becomes markup. */
function pageOf(sections: readonly Section[], { title, zone }: Words): string {
  const page = document.implementation.createHTMLDocument(title)
  const put = (parent: Element, name: string, text = ''): HTMLElement => {
    const element = page.createElement(name)
    element.textContent = text
    parent.append(element)
    return element
  }
  put(page.head, 'meta').setAttribute('charset', 'utf-8')
  put(page.body, 'h1', title)
  put(page.body, 'p', zone)
  for (const section of sections) {
    put(page.body, 'h2', section.title)
    for (const record of section.records) {
      const list = put(page.body, 'ul')
      for (const [label, text] of record) put(list, 'li', `${label}: ${text}`)
    }
  }
  return `<!doctype html>\n${new XMLSerializer().serializeToString(page.documentElement)}`
}
