import { one } from './expectation.ts'
import type { Scenario } from './scenario.ts'

const NUMBER = '+14155550118'
const CUSTOMER = '+14155550218'

export const whatsApp: Scenario = {
  name: 'whatsapp',
  title: 'A WhatsApp message comes in with a picture, and the answer is read',
  company: {
    contacts: [{ name: 'Xenia Lopez', phone: CUSTOMER }],
    numbers: [{ number: NUMBER }],
    whatsAppNumbers: [NUMBER],
  },
  async play({ telco, clock, service }) {
    const media = [{ contentType: 'image/jpeg', content: Buffer.from('a picture') }]
    const address = `whatsapp:${CUSTOMER}`
    telco.reactToTexts(address, 'read')
    await telco.text({ from: address, to: `whatsapp:${NUMBER}`, body: 'Look at this', media, profileName: 'Xenia' })
    await clock.during(async () => {
      await service.ask('connect.message', 'send', {
        to: CUSTOMER,
        from: NUMBER,
        body: 'We come tomorrow.',
        message_type: 'WhatsApp',
      })
    })
  },
  expects: [
    one(
      'connect.message',
      { direction: 'incoming', from_number: CUSTOMER },
      { message_type: 'WhatsApp', num_media: 1, media_content_type: 'image/jpeg', partner: 'Xenia Lopez' },
    ),
    one(
      'connect.message',
      { direction: 'outgoing', to_number: CUSTOMER },
      { message_type: 'WhatsApp', status: 'read' },
    ),
  ],
}
