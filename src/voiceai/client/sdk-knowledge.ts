import type { ElevenLabs } from '@elevenlabs/elevenlabs-js'
import type { Ask } from './ask.ts'
import { listAll } from './sdk-workspace.ts'

const PAGE_SIZE = 100

/** A document that is to be created. Sites are read page by page; the folder with their pages is the document. */
export type NewDocument =
  | { kind: 'text'; name: string; text: string }
  | { kind: 'file'; name: string; data: Buffer; filename: string; contentType: string }
  | { kind: 'page'; name: string; url: string }
  | { kind: 'site'; name: string; url: string; pagesMax: number }

/** A document that was created; `crawlUid` names the reading of a site. */
export interface CreatedDocument {
  uid: string
  crawlUid: string | undefined
}

export type ProviderDocument = ReturnType<typeof toDocument>

/** The knowledge base of the workspace. */
export function knowledgeRequests(ask: Ask) {
  return {
    async listDocuments() {
      const documents = await listAll(async (cursor) => {
        const page = await ask.repeatable((sdk, options) =>
          sdk.conversationalAi.knowledgeBase.list({ pageSize: PAGE_SIZE, ...cursor }, options),
        )
        return { found: page.documents, hasMore: page.hasMore, nextCursor: page.nextCursor }
      })
      return documents.map(toDocument)
    },
    createDocument: (document: NewDocument) => createDocument(ask, document),
    /** The platform changes the content of texts only. */
    async updateDocument(uid: string, change: { name: string; content?: string }) {
      await ask.change((sdk, options) => sdk.conversationalAi.knowledgeBase.documents.update(uid, change, options))
    },
    /** Agents that still have it lose it; the pages of a site go with it. */
    async deleteDocument(uid: string) {
      await ask.change((sdk, options) =>
        sdk.conversationalAi.knowledgeBase.documents.delete(uid, { force: true }, options),
      )
    },
    async listCrawls() {
      const { crawlJobs } = await ask.repeatable((sdk, options) =>
        sdk.conversationalAi.knowledgeBase.crawlJobs.list({ pageSize: PAGE_SIZE }, options),
      )
      return crawlJobs.map(toCrawl)
    },
    getCrawl: async (uid: string) =>
      toCrawl(await ask.repeatable((sdk, options) => sdk.conversationalAi.knowledgeBase.crawlJobs.get(uid, options))),
  }
}

async function createDocument(ask: Ask, document: NewDocument): Promise<CreatedDocument> {
  const { name } = document
  if (document.kind === 'site') {
    const { url, pagesMax: maxPages } = document
    const crawl = await ask.once((sdk, options) =>
      sdk.conversationalAi.knowledgeBase.crawlJobs.create({ url, maxPages }, options),
    )
    return { uid: crawl.rootFolderId, crawlUid: crawl.id }
  }
  const created = await ask.once((sdk, options) => {
    const { documents } = sdk.conversationalAi.knowledgeBase
    switch (document.kind) {
      case 'text':
        return documents.createFromText({ name, text: document.text }, options)
      case 'page':
        return documents.createFromUrl({ name, url: document.url }, options)
      case 'file': {
        const { data, filename, contentType } = document
        return documents.createFromFile({ name, file: { data, filename, contentType } }, options)
      }
    }
  })
  return { uid: created.id, crawlUid: undefined }
}

function toDocument(document: ElevenLabs.GetKnowledgeBaseListResponseModelDocumentsItem) {
  const { id: uid, name, type, metadata } = document
  const url = document.type === 'url' ? document.url : undefined
  return { uid, name, type, url, createdSeconds: metadata.createdAtUnixSecs }
}

function toCrawl(crawl: ElevenLabs.GetCrawlJobResponseModel) {
  const { id: uid, seedUrl: url, rootFolderId: folderUid, createdAt: createdSeconds, status, pagesScraped } = crawl
  return { uid, url, folderUid, createdSeconds, status: status ?? 'queued', pages: pagesScraped ?? 0 }
}
