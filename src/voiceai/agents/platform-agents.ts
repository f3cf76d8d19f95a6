import { Cached, type Memory } from '../../database/cached.ts'
import type { Queryable } from '../../database/database.ts'
import { sql } from '../../database/drizzle.ts'
import type { RowOf } from '../../platform/model/model.ts'
import { DYNAMIC_VARIABLES } from '../conversations/dynamic-variables.ts'
import type { agentModel } from './agent.ts'
import { variablesIn } from './named-variables.ts'
import { presetLanguages } from './preset-languages.ts'
import { TELEPHONE_AUDIO } from './provider-choices.ts'

/** What a call to an agent has to know of the copy that the platform holds. */
export interface PlatformAgent {
  /** Languages that the agent may be asked for beside its own: their presets are at the platform. */
  readonly languages: ReadonlySet<string>
  /** Variables that must be given with a call beside our own, those of agents it may hand over to included. */
  readonly variables: readonly string[]
  /** Whether it speaks and hears as telephones do, without which a registered call is noise. */
  readonly isForTelephones: boolean
}

/** What is kept of a push, because calls depend on what the platform holds and not on what is stored here. */
export interface PushedAgent {
  languages: string[]
  variables: string[]
  /** Ids of the agents it may hand over to. */
  transfers: string[]
  isForTelephones: boolean
  /** Ids of the documents that it knows; not there without any. */
  knowledge?: string[]
}

type AgentRow = RowOf<typeof agentModel, 'language' | 'synced' | 'output_audio_format' | 'user_input_audio_format'> & {
  agent_uid: string
  languages: string[]
  pushed: PushedAgent | null
  texts: unknown
  pushed_variables: string[][]
  transfers: string[]
}

/** Everything that may name a variable is in `texts`; parameters name theirs under the key `dynamic_variable`. */
const LOAD = sql`select a.agent_uid, a.language, a.synced, a.pushed, a.output_audio_format, a.user_input_audio_format,
    coalesce((select jsonb_agg(l.code order by l.code) from connect_voiceai_agent_additional_languages_rel r
      join res_lang l on l.id = r.lang_id where r.agent_id = a.id and l.active), '[]'::jsonb) as languages,
    jsonb_build_array(a.prompt, a.first_message, a.first_message_translations,
      (select jsonb_agg(jsonb_build_array(t.description, t.url, t.path, t.body_params_description, t.voicemail_message,
          (select jsonb_agg(jsonb_build_object('dynamic_variable', p.dynamic_variable, 'texts', jsonb_build_array(
            p.description, p.constant_value))) from connect_agent_tool_params p where p.tool = t.id)))
        from connect_voiceai_agent_tools_rel r join connect_voiceai_agent_tool t on t.id = r.tool_id
        where r.agent_id = a.id),
      (select jsonb_agg(x.condition) from connect_voiceai_agent_transfer x where x.agent = a.id)) as texts,
    coalesce((select jsonb_agg(t.pushed_variables) from connect_voiceai_agent_tools_rel r
      join connect_voiceai_agent_tool t on t.id = r.tool_id
      where r.agent_id = a.id and t.pushed_variables is not null), '[]'::jsonb) as pushed_variables,
    coalesce((select jsonb_agg(b.agent_uid) from connect_voiceai_agent_transfer x
      join connect_voiceai_agent b on b.id = x.transfer_to_agent
      where x.agent = a.id and b.agent_uid is not null), '[]'::jsonb) as transfers
  from connect_voiceai_agent a where a.agent_uid is not null order by a.id`

/**
 * Every agent by its id at the platform, kept in memory: a caller hears it ring while one is looked up, and a call must go
 * on while the database does not answer. A change anywhere drops the copy in every process (channel `connect_agents`).
 */
export class PlatformAgents implements Memory {
  readonly channels = ['connect_agents'] as const
  readonly #cached: Cached<ReadonlyMap<string, PlatformAgent>>

  constructor(db: Queryable) {
    this.#cached = new Cached(async () => toAgents(await db.query<AgentRow>(LOAD)))
  }

  /** The agents in force. Throws when they cannot be read. */
  get(): Promise<ReadonlyMap<string, PlatformAgent>> {
    return this.#cached.get()
  }

  /** The agents as they were read last, however long ago. */
  get last(): ReadonlyMap<string, PlatformAgent> {
    return this.#cached.last ?? NO_AGENTS
  }

  /** Has the agents read again. */
  changed(): void {
    this.#cached.forget()
  }
}

const NO_AGENTS: ReadonlyMap<string, PlatformAgent> = new Map()

function toAgents(rows: readonly AgentRow[]): Map<string, PlatformAgent> {
  const byUid = new Map(rows.map((row) => [row.agent_uid, row]))
  const own = new Map(rows.map((row) => [row.agent_uid, ownVariables(row)]))
  return new Map(
    rows.map((row) => {
      const names = new Set(reachable(row, byUid).flatMap((uid) => own.get(uid) ?? []))
      for (const name of DYNAMIC_VARIABLES) names.delete(name)
      return [row.agent_uid, { ...callFacts(row), variables: [...names] }]
    }),
  )
}

/** What is stored here, and what the platform may still hold: a variable too many does no harm, one too few ends a call. */
function ownVariables({ texts, pushed, pushed_variables: ofTools }: AgentRow): string[] {
  return [...new Set([...variablesIn(texts), ...(pushed?.variables ?? []), ...ofTools.flat()])]
}

/** The agent, those it may hand over to, and those that they may: no variable is asked for later. */
function reachable(first: AgentRow, byUid: ReadonlyMap<string, AgentRow>): string[] {
  const found = new Set([first.agent_uid])
  for (const uid of found) {
    const row = byUid.get(uid)
    for (const target of [...(row?.transfers ?? []), ...(row?.pushed?.transfers ?? [])]) found.add(target)
  }
  return [...found]
}

/** An agent that was pushed by an earlier version, or whose id was typed in, counts as it is stored. */
function callFacts(row: AgentRow): Pick<PlatformAgent, 'languages' | 'isForTelephones'> {
  const { pushed, synced } = row
  const stored = presetLanguages(row)
  const atPlatform = new Set(pushed?.languages ?? (synced === true ? stored : []))
  const formats = [row.output_audio_format, row.user_input_audio_format]
  return {
    languages: new Set(stored.filter((code) => atPlatform.has(code))),
    isForTelephones: pushed?.isForTelephones ?? formats.every((format) => format === TELEPHONE_AUDIO),
  }
}
