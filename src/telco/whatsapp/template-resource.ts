import { sql } from '../../database/drizzle.ts'
import { idList } from '../../database/ids.ts'
import { Refusal } from '../../errors.ts'
import type { RowOf } from '../../platform/model/model.ts'
import { records } from '../../platform/records/records.ts'
import { Resource } from '../../sync/resource.ts'
import { inServiceEnv } from '../../sync/service-env.ts'
import { publishedTime } from '../../time.ts'
import type { Approval, ProviderContent } from '../client/contents.ts'
import { contentUrl } from '../client/hosts.ts'
import { doubted, GONE, notHere } from '../sync/problems.ts'
import { outsideMessageRegion } from '../sync/readiness.ts'
import { TELCO, type TelcoParts } from '../sync/telco.ts'
import { CONTENT_TYPES, contentTemplateModel, TEMPLATE_STATUSES } from './content-template.ts'
import { readContentTypes } from './template-content.ts'
import { findLanguage } from './template-language.ts'

export const TEMPLATE_MODEL = contentTemplateModel.name
const MISSING = 'missing'
/** What a state that is not known here is taken for: something is going on with it. */
const STATUS_UNKNOWN = 'pending'
const REASON_CHARS_MAX = 1_000
const STATUSES: readonly string[] = TEMPLATE_STATUSES.map(([status]) => status)
const TYPES: readonly string[] = CONTENT_TYPES.map(([type]) => type)

type StoredTemplate = RowOf<typeof contentTemplateModel, 'id' | 'friendly_name' | 'sid' | 'status'> & {
  has_media: boolean
}

interface Template {
  stored: StoredTemplate
  /** Its state here: what a template says is the provider's business once it is there. */
  wanted: string | null
  there: ProviderContent
  gone: { sid: string }
}

/** Every template of the account with its state; what a template says is taken over once, when it is new. */
export const templateResource = new Resource<TelcoParts, 'template', Template>(TELCO, {
  kind: 'template',
  model: contentTemplateModel,
  step: 'WhatsApp templates',
  // Somebody submits it.
  pushedOn: () => false,
  skips: outsideMessageRegion,
  list: async (parts, id) => (await listTemplates(parts)).filter((each) => id === undefined || each.id === id),
  nameOf: ({ friendly_name: name }) => name,
  uidOf: ({ sid }) => sid,
  wanted: (_parts, { status }) => status,
  actual: ({ account }) => account.contents.list(),
  match: ({ sid }, actual) => actual.find((each) => each.sid === sid),
  idThere: ({ sid }) => sid,
  problem: (status, { approval }) => stateProblem(status, statusOf(approval)),
  drift: {
    absent: ({ status }) => stateProblem(status, MISSING),
    strangers: (found, stored) => notHere(TEMPLATE_MODEL, found, { stored, nameOf: ({ name }) => name }),
  },
  blocked: ({ sid }) => (sid === null ? 'unsubmitted' : undefined),
  removal: {
    of: (_stored, { uid: sid }) => ({ sid }),
    read: ({ db }, ids) =>
      db.query(
        sql`select sid from connect_message_content_template
            where id in (${idList(ids)}) and sid is not null order by id`,
      ),
    remove: ({ account }, { sid }) => account.contents.delete(sid),
  },
  mirror: {
    takes: 'all',
    nameThere: ({ name }) => name,
    same: ({ sid }, stored) => stored.find((each) => each.sid === sid),
    take: takeOver,
    isKnown: ({ status }) => status !== MISSING,
    gone: {
      stays: GONE.stays,
      removed: 'Twilio no longer has it. Submit it again before you send it.',
      doubt: doubted('message templates'),
      // It cannot be sent, and what it says stays.
      instead: {
        count: MISSING,
        work: (parts, id) =>
          inServiceEnv(parts, (env) => records(env, TEMPLATE_MODEL).write([id], { status: MISSING })),
      },
    },
  },
})

/** What the provider says of the state of something in other words than it is stored here. */
export function stateProblem(here: string | null, there: string | undefined): string | undefined {
  return here === there ? undefined : `It is ${there} at Twilio, and ${here} here.`
}

export async function listTemplates({ db }: TelcoParts): Promise<StoredTemplate[]> {
  return db.query<StoredTemplate>(
    sql`select id, friendly_name, sid, status, media is not null as has_media from connect_message_content_template order by id`,
  )
}

/** What the provider said of an approval, as it is stored. */
export function approvalValues(approval: Approval): Record<string, unknown> {
  const { category, mayChangeCategory: mayChange } = approval
  return {
    status: statusOf(approval),
    rejection_reason: approval.rejectionReason?.slice(0, REASON_CHARS_MAX).toWellFormed() ?? null,
    ...(mayChange === undefined ? {} : { allow_category_change: mayChange }),
    ...(isCategory(category) ? { category } : {}),
  }
}

/** Where a template is submitted, and where its approval can be read. */
export function templateLinks(sid: string): { approval_create_url: string; approval_fetch_url: string } {
  const fetchUrl = `${contentUrl(sid)}/ApprovalRequests`
  return { approval_create_url: `${fetchUrl}/whatsapp`, approval_fetch_url: fetchUrl }
}

function statusOf({ status }: Approval): string {
  return STATUSES.includes(status) ? status : STATUS_UNKNOWN
}

async function takeOver(
  parts: TelcoParts,
  content: ProviderContent,
  stored: readonly StoredTemplate[],
): Promise<{ id: undefined; outcome: 'created' | 'updated' }> {
  const same = stored.find((each) => each.sid === content.sid)
  const state = {
    sid: content.sid,
    ...approvalValues(content.approval),
    ...templateLinks(content.sid),
    date_created: content.createdAt === undefined ? null : publishedTime(content.createdAt),
    date_updated: content.updatedAt === undefined ? null : publishedTime(content.updatedAt),
  }
  await inServiceEnv(parts, async (env) => {
    const templates = records(env, TEMPLATE_MODEL)
    if (same !== undefined)
      return templates.write([same.id], { ...state, ...(same.has_media ? {} : mediaValues(content)) })
    const languages = await env.db.query<{ id: number; code: string }>(sql`select id, code from res_lang order by id`)
    return templates.create([{ ...contentValues(content, languages), ...state }])
  })
  return { id: undefined, outcome: same === undefined ? 'created' : 'updated' }
}

function contentValues(content: ProviderContent, languages: readonly { id: number; code: string }[]) {
  const language = findLanguage(content.language, languages)
  if (language === undefined) throw new Refusal('refused', 'language-not-known-here', { language: content.language })
  const written = readContentTypes(content.types, TYPES)
  if (written === undefined) {
    throw new Refusal('refused', 'content-kind-not-known-here', { value: Object.keys(content.types).join(', ') })
  }
  return {
    friendly_name: content.name,
    language: language.id,
    content_type: written.type,
    body: written.body,
    actions: written.actions,
    media: written.media,
    variables: Object.keys(content.variables).length === 0 ? null : content.variables,
  }
}

/** Of a template that was taken over when media had no place here. */
function mediaValues({ types }: ProviderContent) {
  const media = readContentTypes(types, TYPES)?.media
  return media ? { media } : {}
}

function isCategory(category: string | undefined): boolean {
  return category !== undefined && ['UTILITY', 'AUTHENTICATION', 'MARKETING'].includes(category)
}
