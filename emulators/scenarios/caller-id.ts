import { answers, hear, press } from '../people.ts'
import { one } from './expectation.ts'
import type { Scenario } from './scenario.ts'

const MOBILE = '+14155550219'

export const callerId: Scenario = {
  name: 'caller-id',
  title: 'A mobile number becomes a caller ID: the provider calls it, and the code is typed in',
  company: {},
  async play({ phone, service, clock }) {
    const known = await service.find('connect.telco.outgoing_callerid', { number: MOBILE })
    if (known !== undefined) await service.ask('connect.telco.outgoing_callerid', 'unlink', { ids: [known.id] })
    const values = { number: MOBILE, friendly_name: 'Mobile' }
    const id = await service.ask<number>('connect.telco.outgoing_callerid', 'create', { vals_list: values })
    // Read out on the screen, typed in on the telephone.
    let code = ''
    phone(MOBILE, answers([hear('verification code'), (line, person) => press(code)(line, person), hear('verified')]))
    await clock.during(async () => {
      await service.ask('connect.telco.outgoing_callerid', 'validate', { ids: [id] })
      const record = await service.find('connect.telco.outgoing_callerid', { id }, ['validation_code'])
      code = String(record?.validation_code)
    })
  },
  expects: [one('connect.telco.outgoing_callerid', { number: MOBILE }, { status: 'validated', sid: /^PN/ })],
}
