import { recordLeg } from '../bare-ledger.ts'
import { ringUser } from '../bare-routing.ts'
import { type BenchRoute, legSid, phoneNumber, spread } from '../route.ts'
import { NEW_SID, readSigned, signedRequest, voiceFields } from '../telco-request.ts'

const PATH = '/telco/webhook/number'

const NUMBER = {
  name: 'our_number',
  text: `select n.destination, n."user", n.callflow, n.markup, n.voiceai_agent, n.language, n.closed_exten, n.closed_message, h.tz,
      (select json_agg(o) from (
        select dayofweek::bigint + 1 as weekday, hour_from as "from", hour_to as "to" from connect_telco_opening
        where business_hours = h.id order by id limit 500) o) as openings,
      (select json_agg(d) from (
        select date_from as "from", date_to as "to", is_yearly as yearly from connect_telco_holiday
        where business_hours = h.id order by id limit 500) d) as holidays
    from connect_telco_number n left join connect_telco_business_hours h on h.id = n.business_hours
    where n.phone_number = $1`,
}

/** A new call to a number that rings a phone user: leg and call in one transaction, the answer in a second one. */
export const number: BenchRoute = {
  name: 'number',
  path: PATH,
  ratioMin: { embedded: 5, PostgreSQL: 2 },
  writes: { connect_channel: 1, connect_call: 1 },
  request: (n, loaded) =>
    signedRequest(PATH, voiceFields(legSid(NEW_SID + n), phoneNumber(spread(n, loaded.contacts)), 'ringing'), loaded),
  async bare(db, incoming) {
    const fields = readSigned(PATH, incoming)
    if (fields === undefined) return { status: 200, body: '<Response/>', contentType: 'text/xml' }
    const call = await db.transaction((tx) => recordLeg(tx, fields))
    return db.transaction(async (tx) => {
      const [ours] = await tx.query<{ user: number }>(NUMBER, [fields.To])
      return ringUser(tx, { user: ours?.user ?? 0, call, caller: fields.From })
    })
  },
}
