// What comments and pages cite is in the repository: every page named there exists, and so does the heading.
import path from 'node:path'
import { expect, test } from 'vitest'
import { CODE, files, findLines, readSources, type Sources } from './support/source-files.ts'

const REFERENCE_FOLDER = 'docs/reference/'
const DECISION_LINES_MAX = 40
const PAGES = readSources((file) => file.endsWith('.md'))
const HEADINGS = new Map([...PAGES].map(([file, text]) => [file, listHeadings(text).map(({ anchor }) => anchor)]))
// This file shows citations that must be refused.
const CITING = readSources((file) => (CODE.test(file) || file.endsWith('.md')) && file !== 'tests/references.test.ts')

/** Papers that are not in the repository, and the form that names one of its own pages instead. */
const OUTSIDE = [
  /\b(?:domain|providers?) reference \(?[0-9A-G]/i,
  /\b(?:domain|providers|service|DESIGN|HOUSE)\.md \(?[0-9A-G]/,
  /\b[cC]ontract,? (?:section )?\(?\d/,
  /\bdesign,? (?:\(?section )?\(?\d/,
]

test('every page and heading that code or another page cites exists', () => {
  expect(findBroken(CITING)).toEqual([])
})

test.each([
  ['code', 'src/a.ts', '/** Why (docs/reference/domain.md#nowhere). */'],
  ['code, at the end of a sentence', 'src/a.ts', '// See docs/reference/nothing.md.'],
  ['a page', 'docs/a.md', '[why](reference/domain.md#nowhere)'],
  ['a page, to itself', 'docs/operating.md', '[why](#nowhere)'],
  ['a page beside the reference', 'docs/decisions/a.md', '[why](../reference/nothing.md)'],
])('a citation that leads nowhere is found in %s', (_where, file, text) => {
  expect(findBroken(new Map([[file, text]]))).toHaveLength(1)
})

test('nothing cites a paper by a number, or one that is not in the repository', () => {
  const found = [...CITING].flatMap(([file, text]) => findLines(file, text, OUTSIDE))
  expect(found).toEqual([])
})

test.each(['domain reference 2.1', 'providers reference A3', 'contract 4.3', 'Contract (5.1)', 'domain.md 2.3'])(
  'a citation such as "%s" is refused',
  (citation) => {
    expect(findLines('src/a.ts', `// ${citation}`, OUTSIDE)).toHaveLength(1)
  },
)

test('every paragraph of the reference is cited by somebody', () => {
  const cited = new Set(
    [...CITING]
      .filter(([file]) => !file.startsWith(REFERENCE_FOLDER))
      .flatMap(([file, text]) => listCitations(file, text))
      .map(({ page, anchor }) => `${page}#${anchor}`),
  )
  const paragraphs = [...PAGES]
    .filter(([file]) => file.startsWith(REFERENCE_FOLDER))
    .flatMap(([file, text]) => listParagraphs(text).map((anchor) => `${file}#${anchor}`))
  expect(paragraphs.length).toBeGreaterThan(0)
  expect(paragraphs.filter((paragraph) => !cited.has(paragraph))).toEqual([])
})

test('a page of decisions is read in a minute', () => {
  const decisions = [...PAGES].filter(([file]) => file.startsWith('docs/decisions/'))
  expect(decisions.length).toBeGreaterThan(0)
  const long = decisions.filter(([, text]) => text.trimEnd().split('\n').length > DECISION_LINES_MAX)
  expect(long.map(([file]) => file)).toEqual([])
})

test('no two headings of a page have the same name', () => {
  for (const [file, anchors] of HEADINGS) {
    if (file.startsWith(REFERENCE_FOLDER)) expect(anchors, file).toEqual([...new Set(anchors)])
  }
})

interface Citation {
  page: string
  anchor: string | undefined
  written: string
}

function findBroken(sources: Sources): string[] {
  return [...sources].flatMap(([file, text]) =>
    listCitations(file, text)
      .filter(({ page, anchor }) => !leadsSomewhere(page, anchor))
      .map(({ written }) => `${file} cites ${written}`),
  )
}

function leadsSomewhere(page: string, anchor: string | undefined): boolean {
  if (!files.includes(page)) return files.some((file) => file.startsWith(`${page.replace(/\/$/, '')}/`))
  return anchor === undefined || HEADINGS.get(page) === undefined || HEADINGS.get(page)?.includes(anchor) === true
}

/** In code, paths from the root; in pages, links to other files of the repository. */
function listCitations(file: string, text: string): Citation[] {
  if (!file.endsWith('.md')) {
    const written = text.matchAll(/(?<![\w/.-])docs\/[\w/-]+\.md(?:#([\w-]+))?/g)
    return [...written].map(([whole, anchor]) => ({ page: whole.split('#')[0] ?? '', anchor, written: whole }))
  }
  const links = text.matchAll(/\]\(([^)\s:]*?)(?:#([\w-]+))?\)/g)
  return [...links].map(([whole, target, anchor]) => ({
    page: target ? path.posix.join(path.posix.dirname(file), target) : file,
    anchor,
    written: whole.slice(1),
  }))
}

/** Headings that hold text of their own, and not only further headings. */
function listParagraphs(text: string): string[] {
  const headings = listHeadings(text)
  return headings
    .filter(({ level }, index) => level > 1 && !((headings[index + 1]?.level ?? 0) > level))
    .map(({ anchor }) => anchor)
}

/** The headings with the anchors that a code host makes of them. */
function listHeadings(text: string): { level: number; anchor: string }[] {
  const prose = text.replaceAll(/^```[\s\S]*?^```/gm, '')
  return [...prose.matchAll(/^(#{1,6}) (.+)$/gm)].map(([, marks = '', title = '']) => ({
    level: marks.length,
    anchor: title
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  }))
}
