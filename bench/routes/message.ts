import { findContact, notify, post } from '../bare-ledger.ts'
import { type BenchRoute, legSid, phoneNumber, spread } from '../route.ts'
import { messageFields, NEW_SID, readSigned, signedRequest } from '../telco-request.ts'

const PATH = '/telco/webhook/message'

const RECEIVE = {
  name: 'receive',
  text: `insert into connect_message (message_sid, account_sid, messaging_service_sid, from_number, to_number, body, num_media,
      message_type, status, status_rank, direction, from_city, from_state, from_zip, from_country, media, media_url,
      media_content_type, latitude, longitude, location_label, location_address, reply_id, reply_title, has_error, attempt,
      create_date)
    values ($1, $2, null, $3, $4, $5, $6::bigint, 'sms', 'received', 0, 'incoming', null, null, null, $7, null, null, null, null, null,
      null, null, null, null, false,
      0, now() at time zone 'utc')
    on conflict (message_sid) do nothing returning id`,
}
const NEWEST = {
  name: 'newest',
  text: `select id, res_model, res_id from connect_message where from_number = $1 and to_number = $2
    and not (status = 'draft' and coalesce(attempt, 0) = 0) order by id desc limit 1`,
}
const PLACE = {
  name: 'place',
  text: `update connect_message set partner = $1::bigint, res_model = $2, res_id = $3::bigint, parent_message = null where id = $4`,
}

/** A text message of a contact, kept and posted on the contact in one transaction. */
export const message: BenchRoute = {
  name: 'message',
  path: PATH,
  ratioMin: { embedded: 4, PostgreSQL: 2.5 },
  keptShareMin: { PostgreSQL: 0.25 },
  writes: { connect_message: 1, mail_message: 1 },
  request(n, loaded) {
    const sid = legSid(NEW_SID + n).replace('CA', 'SM')
    const body = `When does somebody come to look at flat ${n}? The heating is still cold & the tap drips.`
    return signedRequest(PATH, messageFields(sid, phoneNumber(spread(n, loaded.contacts)), body), loaded)
  },
  async bare(db, incoming) {
    const fields = readSigned(PATH, incoming)
    if (fields === undefined) return { status: 200, body: '<Response/>', contentType: 'text/xml' }
    const { MessageSid: sid, AccountSid: account, From: from, To: to, Body: body = '', NumMedia: media } = fields
    await db.transaction(async (tx) => {
      const [kept] = await tx.query<{ id: number }>(RECEIVE, [sid, account, from, to, body, media, fields.FromCountry])
      if (kept === undefined) return
      await tx.query(NEWEST, [to, from])
      const contact = await findContact(tx, from)
      await tx.query(PLACE, [contact?.id, 'res.partner', contact?.id, kept.id])
      const author = { contact: contact?.id, authorId: contact?.id ?? null }
      await post(tx, { ...author, body, type: 'sms', subtype: 'comment', message: kept.id })
      await notify(tx, 'connect.message', kept.id)
    })
    return { status: 200, body: '<Response/>', contentType: 'text/xml' }
  },
}
