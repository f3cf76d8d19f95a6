import type { Database } from '../src/database/database.ts'
import { sql } from '../src/database/drizzle.ts'
import { type Cipher, secretPlace } from '../src/platform/secrets/secrets.ts'
import { TELEPHONY } from './load-telephony.ts'
import { FIRST_LOADED_ID } from './route.ts'
import { OUR_NUMBER } from './telco-request.ts'

/** How much is in the database before anything is measured. */
export interface DataSize {
  contacts: number
  calls: number
  tickets: number
}

/** Every so many calls were held by a voice agent and have a recording. */
const CALLS_PER_CONVERSATION = 4

/** What deliveries are signed with. */
export interface Secrets {
  postCallSecret: string
  authToken: string
}

/** Fills a migrated and seeded database, and stores the secrets. */
export async function loadData(
  db: Database,
  { size, cipher, secrets }: { size: DataSize; cipher: Cipher; secrets: Secrets },
): Promise<void> {
  await db.query(
    sql`update connect_settings set voiceai_post_call_webhook_secret = ${cipher.encrypt(secrets.postCallSecret, secretPlace('connect_settings', 'voiceai_post_call_webhook_secret', 1))},
          auth_token = ${cipher.encrypt(secrets.authToken, secretPlace('connect_settings', 'auth_token', 1))},
          country_id = (select id from res_country where code = 'CH')`,
  )
  await db.script(AGENT)
  await db.script(TELEPHONY)
  await db.script(contacts(size))
  await db.script(calls(size))
  await db.script(tickets(size))
  // Vacuumed as well: else the server would do that by itself in the middle of a measurement.
  // Not the tables that are still empty: statements planned for an empty table would read through it while it grows.
  await db.script(`vacuum analyze ${LOADED.join(', ')}`)
}

const LOADED = ['res_partner', 'connect_call', 'connect_channel', 'connect_recording', 'helpdesk_ticket']

const AGENT = `
  insert into connect_voiceai_voice (voice_id, name) values ('voice_bench', 'Sarah');
  insert into connect_voiceai_agent (name, voice, first_message, prompt, language, llm, agent_uid)
  select 'Reception', id, 'Hello', 'You answer the phone.', 'en', 'gpt-4o', 'agent_bench' from connect_voiceai_voice limit 1;`

// Numbers and leg ids are written the same way in route.ts.
function contacts({ contacts: count }: DataSize): string {
  return `
  insert into res_partner (id, name, active, phone, phone_normalized, email, lang, tz, is_company)
  select ${FIRST_LOADED_ID} + n, 'Contact ' || n, true, '+41 31 ' || lpad(n::text, 7, '0'), '+4131' || lpad(n::text, 7, '0'),
    'contact' || n || '@example.com', 'de_DE', 'Europe/Zurich', false
  from generate_series(0, ${count - 1}) n;`
}

function calls({ contacts: contactCount, calls: count }: DataSize): string {
  const id = `${FIRST_LOADED_ID} + n`
  const start = `timestamp '2026-01-01' + n * interval '1 minute'`
  const loaded = `connect_call where id between ${FIRST_LOADED_ID} and ${FIRST_LOADED_ID + count - 1}`
  return `
  insert into connect_call (id, caller, called, direction, call_type, status, duration, partner, call_sid, create_date,
    voiceai_conversation_id, voiceai_summary)
  select ${id}, '+4131' || lpad((n % ${contactCount})::text, 7, '0'), '${OUR_NUMBER}', 'incoming', 'phone',
    'completed', 30 + n % 600, ${FIRST_LOADED_ID} + n % ${contactCount}, 'CA' || lpad(to_hex(n), 32, '0'), ${start},
    case when n % ${CALLS_PER_CONVERSATION} = 0 then 'conv_loaded_' || n end,
    case when n % ${CALLS_PER_CONVERSATION} = 0 then 'The caller asked when somebody comes to look at the heating.' end
  from generate_series(0, ${count - 1}) n;

  insert into connect_channel (id, sid, call, caller, called, "to", caller_number, called_number, technical_direction, status,
    duration, call_type, partner, create_date)
  select id, call_sid, id, caller, called, called, caller, called, 'inbound', status, duration, 'phone', partner, create_date
  from ${loaded} order by id;

  insert into connect_recording (id, sid, call_sid, call, partner, caller_number, called_number, status, duration, start_time,
    voiceai_transcript, voiceai_summary, transcription_pending, source)
  select id, voiceai_conversation_id, call_sid, id, partner, caller, called, 'completed', duration, create_date,
    repeat('user: When does somebody come to look at it?' || chr(10), 40), voiceai_summary, false, 'voiceai'
  from ${loaded} and voiceai_conversation_id is not null order by id;`
}

function tickets({ tickets: count, contacts: contactCount }: DataSize): string {
  return `
  insert into helpdesk_ticket (name, description, active, team_id, stage_id, partner_id, partner_name, partner_email, priority,
    create_date)
  select 'Ticket ' || n, 'The heating is cold. It was looked at before, and it came back.', true, t.id,
    (select array_agg(id order by sequence, id) from helpdesk_stage)[1 + n % (select count(*)::int from helpdesk_stage)],
    p.id, p.name, p.email, '1', timestamp '2026-01-01' + n * interval '1 minute'
  from generate_series(0, ${count - 1}) n
  join res_partner p on p.id = ${FIRST_LOADED_ID} + (n * 7) % ${contactCount}
  cross join (select id from helpdesk_team order by id limit 1) t;`
}
