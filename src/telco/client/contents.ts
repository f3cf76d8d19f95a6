import type { ContentApprovalRequest } from 'twilio/lib/rest/content/v1/content/approvalCreate.js'
import type { ContentCreateRequest } from 'twilio/lib/rest/content/v1/content.js'
import type { ContentAndApprovalsInstance } from 'twilio/lib/rest/content/v1/contentAndApprovals.js'
import { momentOf, textOf } from './answers.ts'
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

export type ProviderContent = ReturnType<typeof toContent>

/** The account's message templates, and their approval by WhatsApp. */
export function contentsOf(sdk: TelcoSdk) {
  return {
    list: async () =>
      (await sdk.list('message templates', (client, limits) => client.content.v1.contentAndApprovals.list(limits))).map(
        toContent,
      ),
    async create({ name, language, variables, types }: ContentConfig) {
      // The SDK sends bodies as they are, and the API knows snake case only; the SDK's own types say otherwise.
      const body = { friendly_name: name, language, variables, types } as unknown as ContentCreateRequest
      return (await sdk.ask((client) => client.content.v1.contents.create(body))).sid
    },
    delete: (sid: string) => sdk.ask((client) => client.content.v1.contents(sid).remove()),
    async submit(sid: string, { name, category }: { name: string; category: string }) {
      // The request has no more parts (twilio_content_v1.json of 2026-04-14); whether the category may change is told by the answer.
      const body = { name, category } as unknown as ContentApprovalRequest
      return toApproval(await sdk.ask((client) => client.content.v1.contents(sid).approvalCreate.create(body)))
    },
    async fetchApproval(sid: string) {
      const { whatsapp } = await sdk.ask((client) => client.content.v1.contents(sid).approvalFetch().fetch())
      return toApproval(whatsapp)
    },
  }
}

function toContent(content: ContentAndApprovalsInstance) {
  return {
    sid: content.sid,
    name: textOf(content.friendlyName) ?? content.sid,
    language: textOf(content.language) ?? '',
    variables: (content.variables ?? {}) as Readonly<Record<string, unknown>>,
    types: (content.types ?? {}) as Readonly<Record<string, Readonly<Record<string, unknown>>>>,
    createdAt: momentOf(content.dateCreated),
    updatedAt: momentOf(content.dateUpdated),
    approval: toApproval(content.approvalRequests),
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
