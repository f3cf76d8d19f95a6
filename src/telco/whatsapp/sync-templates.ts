import { sql } from '../../database/drizzle.ts'
import { Refusal } from '../../errors.ts'
import type { RowOf } from '../../platform/model/model.ts'
import { records } from '../../platform/records/records.ts'
import { type Difference, differing, type StepContext } from '../../sync/provider.ts'
import { removeGone } from '../../sync/remove-gone.ts'
import { inServiceEnv } from '../../sync/service-env.ts'
import { workOnEach } from '../../sync/work-on-each.ts'
import { publishedTime } from '../../time.ts'
import type { Approval, ProviderContent } from '../client/contents.ts'
import { contentUrl } from '../client/hosts.ts'
import { doubted, GONE, notHere } from '../sync/problems.ts'
import type { TelcoParts } from '../sync/telco.ts'
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

/** Has every template of the account here with its state; what a template says is taken over once, when it is new. */
export async function syncTemplates(parts: TelcoParts, step: StepContext): Promise<void> {
  const found = await parts.account.contents.list()
  await step.progress.count('total', found.length)
  const stored = await listTemplates(parts)
  await workOnEach(step, {
    model: TEMPLATE_MODEL,
    targets: found.map((content) => ({ content, name: content.name })),
    work: ({ content }) => upsertTemplate(parts, stored, content),
  })
  await markMissing(parts, step, { stored, found })
}

export async function compareTemplates(parts: TelcoParts): Promise<Difference[]> {
  const found = await parts.account.contents.list()
  const stored = await listTemplates(parts)
  const differences = stored
    .filter((template) => template.sid !== null)
    .flatMap((template) => {
      const there = found.find((each) => each.sid === template.sid)
      const state = there === undefined ? MISSING : statusOf(there.approval)
      const subject = { what: TEMPLATE_MODEL, id: template.id, name: template.friendly_name }
      return differing(subject, stateProblem(template.status, state))
    })
  return [...differences, ...notHere(TEMPLATE_MODEL, found, { stored, nameOf: ({ name }) => name })]
}

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

async function upsertTemplate(
  parts: TelcoParts,
  stored: readonly StoredTemplate[],
  content: ProviderContent,
): Promise<'created' | 'updated'> {
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
  return same === undefined ? 'created' : 'updated'
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

/** A template that was at the provider and is not any more cannot be sent. */
async function markMissing(
  parts: TelcoParts,
  context: StepContext,
  { stored, found }: { stored: readonly StoredTemplate[]; found: readonly ProviderContent[] },
): Promise<void> {
  const listed = new Set(found.map((content) => content.sid))
  const known = stored.filter((each) => each.sid !== null && each.status !== MISSING)
  const gone = known.filter((each) => !listed.has(each.sid ?? ''))
  await removeGone(parts, context, {
    model: TEMPLATE_MODEL,
    found: found.length,
    known: known.length,
    gone: gone.map(({ id, friendly_name: name }) => ({ id, name })),
    doubt: doubted('message templates'),
    stays: GONE.stays,
    removed: 'Twilio has it no more: submit it again before you send it.',
    instead: {
      count: MISSING,
      work: (id) => inServiceEnv(parts, (env) => records(env, TEMPLATE_MODEL).write([id], { status: MISSING })),
    },
  })
}

function isCategory(category: string | undefined): boolean {
  return category !== undefined && ['UTILITY', 'AUTHENTICATION', 'MARKETING'].includes(category)
}
