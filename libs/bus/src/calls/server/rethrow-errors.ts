import { Catch, type RpcExceptionFilter } from '@nestjs/common';
import { type Observable, throwError } from 'rxjs';

/** Rethrows errors of handlers unchanged; the server turns them into replies. */
@Catch()
export class RethrowErrors implements RpcExceptionFilter {
  catch(error: unknown): Observable<never> {
    return throwError(() => error);
  }
}
