import { extname } from 'node:path'

/**
 * Formats of files that the platform reads, with the type that goes along (elevenlabs.io/docs/eleven-agents/customization/knowledge-base:
 * "PDF, TXT, DOCX, HTML, and EPUB"). Markdown is plain text.
 */
const FILE_TYPES: Readonly<Record<string, { contentType: string; sentAs: string }>> = {
  '.pdf': { contentType: 'application/pdf', sentAs: '.pdf' },
  '.docx': {
    contentType: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
    sentAs: '.docx',
  },
  '.txt': { contentType: 'text/plain', sentAs: '.txt' },
  '.md': { contentType: 'text/plain', sentAs: '.txt' },
  '.html': { contentType: 'text/html', sentAs: '.html' },
  '.epub': { contentType: 'application/epub+zip', sentAs: '.epub' },
}

const MEGABYTE = 1_000_000
/** Megabytes of a file, and characters of a text: what an account without a contract of its own may have (the same page). */
export const DOCUMENT_MEGABYTES_MAX = 20
export const DOCUMENT_BYTES_MAX = DOCUMENT_MEGABYTES_MAX * MEGABYTE
export const DOCUMENT_CHARS_MAX = 300_000
/** Pages of a site: `max_pages` of the platform's API description. */
export const PAGES_MAX = 10_000

/** What a document is made of. */
export interface KnowledgeSource {
  kind: 'text' | 'file' | 'page' | 'site'
  url: string | null
  pages_max: number | null
  file: number | null
}

/** A text is changed in place at the platform; everything else is replaced when this changes. */
export function sourceKey({ kind, url, pages_max: pages, file }: KnowledgeSource): string {
  switch (kind) {
    case 'text':
      return 'text'
    case 'file':
      return `file ${file}`
    case 'page':
      return `page ${url}`
    case 'site':
      return `site ${pages} ${url}`
  }
}

/** How a file is sent; undefined for one that the platform does not read. */
export function sentFile(name: string): { filename: string; contentType: string } | undefined {
  const ending = extname(name).toLowerCase()
  const type = FILE_TYPES[ending]
  if (type === undefined) return undefined
  return { filename: name.slice(0, name.length - ending.length) + type.sentAs, contentType: type.contentType }
}
