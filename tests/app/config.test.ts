import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { ConfigError, readConfig } from '../../src/config.ts'

function problemsOf(env: Record<string, string>): string[] {
  try {
    readConfig(env)
    return []
  } catch (error) {
    if (error instanceof ConfigError) return error.problems
    throw error
  }
}

describe('an environment that says nothing', () => {
  it('gives the documented defaults', () => {
    expect(readConfig({})).toEqual({
      host: '127.0.0.1',
      port: 8080,
      localIssuer: false,
      dataDir: path.resolve('data'),
      mediaDir: path.resolve('data', 'media'),
      databaseUrl: undefined,
      databasePool: 10,
      apiUrl: undefined,
      trustProxy: false,
      logLevel: 'info',
      secretKey: undefined,
      oldSecretKey: undefined,
      metricsToken: undefined,
      worker: true,
      page: true,
      voiceaiBaseUrl: 'https://api.elevenlabs.io',
      telcoBaseUrl: undefined,
    })
  })

  it('an environment that says nothing is what empty and blank variables say too', () => {
    const names = ['HOST', 'PORT', 'DATA_DIR', 'DATABASE_URL', 'API_URL', 'TRUST_PROXY', 'SECRET_KEY', 'WORKER']
    const blank = Object.fromEntries(names.flatMap((name, at) => [[name, at % 2 === 0 ? '' : '  ']]))
    expect(readConfig(blank)).toEqual(readConfig({}))
  })
})

describe('a local issuer', () => {
  const local = 'http://127.0.0.1:4010'
  it.each([
    [{}, false],
    [{ TELCO_BASE_URL: local }, false],
    [{ VOICEAI_BASE_URL: local }, false],
    [{ TELCO_BASE_URL: local, VOICEAI_BASE_URL: 'https://voice.example.com' }, false],
    [{ TELCO_BASE_URL: local, VOICEAI_BASE_URL: 'http://localhost:4020' }, true],
    [{ TELCO_BASE_URL: local, VOICEAI_BASE_URL: local, SSO_LOCAL_ISSUER: 'off' }, false],
    [{ SSO_LOCAL_ISSUER: 'on' }, true],
  ])(
    'a local issuer is taken beside emulators of both providers, or where the environment says so: %j',
    (env, isTaken) => {
      expect(readConfig(env).localIssuer).toBe(isTaken)
    },
  )
})

describe('a variable', () => {
  it.each([
    ['HOST', '0.0.0.0', { host: '0.0.0.0' }],
    ['HOST', '::', { host: '::' }],
    ['HOST', 'connect.example.com', { host: 'connect.example.com' }],
    ['PORT', '0', { port: 0 }],
    ['PORT', ' 65535 ', { port: 65_535 }],
    ['DATA_DIR', '/srv/connect', { dataDir: '/srv/connect', mediaDir: '/srv/connect/media' }],
    ['MEDIA_DIR', '/srv/media', { mediaDir: '/srv/media' }],
    ['DATABASE_URL', 'postgres://u:p@h/d', { databaseUrl: 'postgres://u:p@h/d' }],
    ['DATABASE_URL', 'postgresql://h/d?sslmode=require', { databaseUrl: 'postgresql://h/d?sslmode=require' }],
    ['DATABASE_POOL', '2', { databasePool: 2 }],
    ['API_URL', 'https://pbx.example.com/base//', { apiUrl: 'https://pbx.example.com/base' }],
    ['TRUST_PROXY', '1', { trustProxy: 1 }],
    ['TRUST_PROXY', '10', { trustProxy: 10 }],
    ['TRUST_PROXY', 'off', { trustProxy: false }],
    ['TRUST_PROXY', '10.0.0.0/8, ::1', { trustProxy: ['10.0.0.0/8', '::1'] }],
    ['LOG_LEVEL', 'DEBUG', { logLevel: 'debug' }],
    ['SECRET_KEY', 'sixteen letters!', { secretKey: 'sixteen letters!' }],
    ['SECRET_KEY_OLD', 'one of before', { oldSecretKey: 'one of before' }],
    ['METRICS_TOKEN', 'sixteen letters!', { metricsToken: 'sixteen letters!' }],
    ['WORKER', 'off', { worker: false }],
    ['VOICEAI_BASE_URL', 'http://127.0.0.1:9000/', { voiceaiBaseUrl: 'http://127.0.0.1:9000' }],
    ['TELCO_BASE_URL', 'https://telco.example.com', { telcoBaseUrl: 'https://telco.example.com' }],
  ])('%s may be %j', (name, value, expected) => {
    expect(readConfig({ [name]: value })).toMatchObject(expected)
  })

  it.each([
    ['HOST', 'not a host'],
    ['HOST', 'http://127.0.0.1'],
    ['HOST', '-x'],
    ['PORT', '65536'],
    ['PORT', '-1'],
    ['PORT', '80.5'],
    ['PORT', '0x50'],
    ['DATABASE_URL', 'mysql://h/d'],
    ['DATABASE_URL', 'localhost:5432'],
    ['DATABASE_URL', 'postgres://u:a/b@h/d'],
    ['DATABASE_POOL', '1'],
    ['DATABASE_POOL', '1000'],
    ['API_URL', 'pbx.example.com'],
    ['API_URL', 'ftp://pbx.example.com'],
    ['TRUST_PROXY', 'maybe'],
    ['TRUST_PROXY', 'on'],
    ['TRUST_PROXY', 'True'],
    ['TRUST_PROXY', '0'],
    ['TRUST_PROXY', '11'],
    ['TRUST_PROXY', '10.0.0.0/33'],
    ['TRUST_PROXY', '999'],
    ['TRUST_PROXY', '10.0.0.1,'],
    ['LOG_LEVEL', 'loud'],
    ['SECRET_KEY', 'too short'],
    ['METRICS_TOKEN', 'too short'],
    ['WORKER', 'maybe'],
    ['VOICEAI_BASE_URL', 'http://api.example.com'],
    ['VOICEAI_BASE_URL', 'http://127.0.0.1.example.com'],
    ['TELCO_BASE_URL', 'telco'],
  ])('%s must not be %j, and the sentence says so by its name', (name, value) => {
    const problems = problemsOf({ [name]: value })
    expect(problems).toHaveLength(1)
    expect(problems[0]).toMatch(new RegExp(`^${name} `))
    expect(problems[0]).toMatch(/should /)
  })

  it.each([
    ['SECRET_KEY', 'shortsecret'],
    ['METRICS_TOKEN', 'shorttoken'],
    ['DATABASE_URL', 'mysql://user:password@h/d'],
    ['VOICEAI_BASE_URL', 'http://user:password@api.example.com'],
  ])('%s is not repeated, since it may be a secret', (name, value) => {
    expect(problemsOf({ [name]: value }).join()).not.toContain(value)
    expect(problemsOf({ [name]: value }).join()).not.toContain('password')
  })
})

it('every problem is told in one go', () => {
  const wrong = { PORT: 'x', WORKER: 'x', LOG_LEVEL: 'x', API_URL: 'x', TRUST_PROXY: 'x', SECRET_KEY: 'x', HOST: 'x y' }
  const problems = problemsOf(wrong)
  expect(problems.map((problem) => problem.split(' ')[0]).sort()).toEqual(Object.keys(wrong).sort())
})
