import { type InstallationCheck, note, type Outcome, ok, wrong } from '../finding.ts'
import { type Answered, type Asked, answerCheck, listIn, objectIn, unanswered } from './read-only.ts'

const NUMBERS_MAX = 20
const ALERTS_MAX = 100
const ALERT_DAYS = 7
const CODES_MAX = 10
const MS_PER_DAY = 86_400_000
/** Where calls to a number are handled that was never moved. */
const MAIN_REGION = 'us1'

/** What only a real account of the phone provider shows. */
export const TELCO_FACTS: readonly InstallationCheck<Asked>[] = [
  answerCheck(
    'telco account',
    ({ read, settings }) => read.telco('api', `/2010-04-01/Accounts/${settings.account_sid}.json`),
    lookAtAccount,
  ),
  { check: 'telco API key', look: lookAtKey },
  { check: 'telco number regions', look: lookAtRegions },
  answerCheck('telco alerts', askForAlerts, lookAtAlerts),
]

function lookAtAccount(body: unknown): Outcome {
  const { status, type } = objectIn(body)
  if (status !== 'active') return wrong(`is ${String(status)}`, 'Look at the console of the provider.')
  const trial = 'is a trial: callers hear an announcement first, and only verified numbers can be called'
  return type === 'Trial' ? note(trial) : ok('is active')
}

async function lookAtKey({ read, settings }: Asked): Promise<Outcome> {
  const { account_sid: account, telco_api_key: key, telco_region: region } = settings
  if (!key)
    return note('is not set: there is no web phone', 'connect settings set telco_api_key SK...', 'telco_api_key')
  const answer = await read.telco('api', `/2010-04-01/Accounts/${account}/Keys/${encodeURIComponent(key)}.json`)
  if (answer.status === 200) return ok(`is there in ${region ?? MAIN_REGION}`)
  if (answer.status !== 404) return unanswered(answer)
  const fix = 'Make an API key in the console of that region, and set telco_api_key and telco_api_secret.'
  return wrong(`does not exist in ${region ?? MAIN_REGION}: the web phone cannot sign in`, fix, 'telco_api_key')
}

/**
 * A 404 means that the number was never moved, and is handled in us1
 * (https://www.twilio.com/docs/global-infrastructure/inbound-processing-api).
 */
async function lookAtRegions({ read, settings, numbers }: Asked): Promise<Outcome | Outcome[]> {
  const wanted = settings.telco_region ?? MAIN_REGION
  const own = numbers.filter(({ sid }) => sid !== null).slice(0, NUMBERS_MAX)
  if (own.length === 0) return note('there is no number yet', 'Buy one, then: connect sync telco')
  const found = await Promise.all(
    own.map(async ({ phone_number: number }) => ({
      number,
      answer: await read.telco('routes', `/v2/PhoneNumbers/${encodeURIComponent(number)}`),
    })),
  )
  const outcomes = found.map(({ number, answer }) => regionOutcome(number, answer, wanted))
  const others = outcomes.filter(({ result }) => result !== 'ok')
  return others.length > 0 ? others : ok(`${own.length} numbers are handled in ${wanted}`)
}

function regionOutcome(number: string, answer: Answered, wanted: string): Outcome {
  if (answer.status !== 200 && answer.status !== 404) return unanswered(answer)
  const region = answer.status === 404 ? MAIN_REGION : objectIn(answer.body).voice_region
  if (region === wanted) return ok(number)
  return wrong(`${number} is handled in ${String(region)}, not in ${wanted}`, 'connect sync telco')
}

/**
 * What the provider objected to: markup, attributes, languages and answers of ours
 * (https://www.twilio.com/docs/usage/monitor-alert; alerts of 30 days can be asked for).
 */
function askForAlerts({ read, now }: Asked): Promise<Answered> {
  const since = new Date(now.getTime() - ALERT_DAYS * MS_PER_DAY).toISOString().replace(/\.\d+Z$/, 'Z')
  const query = new URLSearchParams({ StartDate: since, PageSize: String(ALERTS_MAX) })
  return read.telco('monitor', `/v1/Alerts?${query}`)
}

function lookAtAlerts(body: unknown): Outcome | Outcome[] {
  const alerts = listIn(body, 'alerts')
  if (alerts.length === 0) return ok(`there are none of the last ${ALERT_DAYS} days`)
  const codes = Map.groupBy(alerts, ({ error_code: code }) => String(code))
  return [...codes].slice(0, CODES_MAX).map(([code, same]) => {
    const finding = `error ${code}, ${same.length} times in the last ${ALERT_DAYS} days`
    const page = `https://www.twilio.com/docs/api/errors/${encodeURIComponent(code)}`
    return same.some(({ log_level: level }) => level === 'error') ? wrong(finding, page) : note(finding, page)
  })
}
