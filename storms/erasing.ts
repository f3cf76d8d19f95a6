// A person with thousands of messages and hundreds of calls is erased while the phone provider reports calls.
import { contactStorm, fillPerson, NAME, NUMBER } from './contact-storm.ts'
import type { ServiceUnderStorm } from './service.ts'
import type { Tally, Weather } from './storm.ts'

/** Whatever is erased, nobody waits for it, and all of it is gone in the end. */
export function erasing(weather: Weather): Promise<Tally> {
  return contactStorm(weather, {
    fill: fillPerson,
    async begin(service, contact) {
      const asked = { ids: [contact], confirm: NAME }
      const { erasure } = await service.call<{ erasure: number }>('res.partner', 'erase', asked)
      const domain = ['|', ['from_number', '=', NUMBER], ['to_number', '=', NUMBER]]
      return {
        hasEnded: () => hasEnded(service, erasure),
        countLeft: () => service.call<number>('connect.message', 'search_count', { domain }),
      }
    },
  })
}

async function hasEnded(service: ServiceUnderStorm, erasure: number): Promise<boolean> {
  const [receipt] = await service.call<{ state: string; remains: unknown }[]>('connect.erasure', 'read', {
    ids: [erasure],
  })
  return receipt?.state === 'done' && receipt.remains !== null
}
