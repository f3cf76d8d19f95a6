import type { ContentApprovalRequest } from 'twilio/lib/rest/content/v1/content/approvalCreate.js'
import type { ContentCreateRequest } from 'twilio/lib/rest/content/v1/content.js'
import { listAll, momentOf, textOf } from './answers.ts'
import type { TelcoSdk } from './sdk.ts'

/** A message template as it is created. */
interface ContentConfig {
  name: string
  language: string
  variables: Readonly<Record<string, string>>
  /** The kind of content, such as `twilio/text`, and what it holds. */
  types: Readonly<Record<string, object>>
}

/** What became of the request to have a template approved. */
export interface Approval {
  status: string
  category: string | undefined
  rejectionReason: string | undefined
  mayChangeCategory: boolean | undefined
}

export interface ProviderContent {
  sid: string
  name: string
  language: string
  variables: Readonly<Record<string, unknown>>
  types: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  createdAt: Date | undefined
  updatedAt: Date | undefined
  approval: Approval
}

/** The account's message templates, and their approval by WhatsApp. */
export interface Contents {
  list(): Promise<ProviderContent[]>
  create(config: ContentConfig): Promise<string>
  delete(sid: string): Promise<void>
  submit(sid: string, wanted: { name: string; category: string }): Promise<Approval>
  fetchApproval(sid: string): Promise<Approval>
}

export function contentsOf(sdk: TelcoSdk): Contents {
  return {
    async list() {
      const found = await sdk.ask((client) =>
        listAll('message templates', (limits) => client.content.v1.contentAndApprovals.list(limits)),
      )
      return found.map((content) => ({
        sid: content.sid,
        name: textOf(content.friendlyName) ?? content.sid,
        language: textOf(content.language) ?? '',
        variables: content.variables ?? {},
        types: (content.types ?? {}) as ProviderContent['types'],
        createdAt: momentOf(content.dateCreated),
        updatedAt: momentOf(content.dateUpdated),
        approval: toApproval(content.approvalRequests),
      }))
    },
    async create({ name, language, variables, types }) {
      // The SDK sends bodies as they are, and the API knows snake case only; the SDK's own types say otherwise.
      const body = { friendly_name: name, language, variables, types } as unknown as ContentCreateRequest
      return (await sdk.ask((client) => client.content.v1.contents.create(body))).sid
    },
    async delete(sid) {
      await sdk.ask((client) => client.content.v1.contents(sid).remove())
    },
    async submit(sid, { name, category }) {
      // The request has no more parts (twilio_content_v1.json of 2026-04-14); whether the category may change is told by the answer.
      const body = { name, category } as unknown as ContentApprovalRequest
      return toApproval(await sdk.ask((client) => client.content.v1.contents(sid).approvalCreate.create(body)))
    },
    async fetchApproval(sid) {
      const { whatsapp } = await sdk.ask((client) => client.content.v1.contents(sid).approvalFetch().fetch())
      return toApproval(whatsapp)
    },
  }
}

/** Inside of an approval nothing is converted by the SDK, at its top everything is. */
function toApproval(given: unknown): Approval {
  const approval = (typeof given === 'object' && given !== null ? given : {}) as Record<string, unknown>
  const mayChange = approval.allow_category_change ?? approval.allowCategoryChange
  return {
    status: textOf(approval.status)?.toLowerCase() ?? 'unsubmitted',
    category: textOf(approval.category),
    rejectionReason: textOf(approval.rejection_reason ?? approval.rejectionReason),
    mayChangeCategory: typeof mayChange === 'boolean' ? mayChange : undefined,
  }
}
