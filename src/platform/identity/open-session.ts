import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ApiParts } from '../api/rpc-routes.ts'
import { giveCookie } from './cookies.ts'
import { SESSION_HOURS, startSession } from './sessions.ts'

const SECONDS_PER_HOUR = 3_600

/** Signs somebody in: starts a session, and puts its token into a cookie of the answer. */
export async function openSession(
  { db, platform }: Pick<ApiParts, 'db' | 'platform'>,
  request: FastifyRequest,
  reply: FastifyReply,
  opened: { userId: number; age?: number; via?: 'password' | 'sso'; hasSecondFactor?: boolean },
): Promise<void> {
  const { 'user-agent': agent } = request.headers
  const token = await startSession(db, { ...opened, now: platform.clock(), address: request.ip, agent })
  const seconds = SESSION_HOURS * SECONDS_PER_HOUR
  giveCookie(request, reply, { name: 'connect_session', value: token, seconds, sameSite: 'strict' })
}
