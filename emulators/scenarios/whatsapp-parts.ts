import { one } from './expectation.ts'
import type { Scenario } from './scenario.ts'

const NUMBER = '+14155550119'
const CUSTOMER = '+14155550219'
const USER = 'US.13491208655302741918'

export const whatsAppParts: Scenario = {
  name: 'whatsapp-parts',
  title: 'Somebody shares a place over WhatsApp, taps a button and chooses from a list',
  company: {
    contacts: [{ name: 'Yann Roy', phone: CUSTOMER }],
    numbers: [{ number: NUMBER }],
    whatsAppNumbers: [NUMBER],
  },
  async play({ telco }) {
    const parties = { from: `whatsapp:${CUSTOMER}`, to: `whatsapp:${NUMBER}`, profileName: 'Yann' }
    const location = { latitude: 48.8584, longitude: -2.2945, label: 'The shop', address: '5 Quai Branly, Paris' }
    await telco.text({ ...parties, body: '', location })
    await telco.text({ ...parties, body: 'Confirm', tapped: { kind: 'button', id: 'confirm-7' } })
    // Afterwards they show their number no more.
    const hidden = { ...parties, userId: USER }
    await telco.text({ ...hidden, body: 'One more thing' })
    await telco.text({ ...hidden, from: `whatsapp:${USER}`, body: 'It is still me' })
    await telco.text({ ...parties, body: 'Tuesday', tapped: { kind: 'list', id: 'day-2' } })
  },
  expects: [
    one(
      'connect.message',
      { from_number: CUSTOMER, location_label: 'The shop' },
      {
        body: 'Location: The shop, 5 Quai Branly, Paris (48.8584, -2.2945)',
        latitude: 48.8584,
        longitude: -2.2945,
        location_address: '5 Quai Branly, Paris',
        location_widget: /mlat=48\.8584&amp;mlon=-2\.2945/,
        partner: 'Yann Roy',
      },
    ),
    one(
      'connect.message',
      { from_number: CUSTOMER, reply_id: 'confirm-7' },
      { body: 'Confirm', reply_title: 'Confirm' },
    ),
    one('connect.message', { from_number: CUSTOMER, body: 'It is still me' }, { partner: 'Yann Roy' }),
    one('connect.message', { from_number: CUSTOMER, reply_id: 'day-2' }, { body: 'Tuesday', reply_title: 'Tuesday' }),
  ],
}
