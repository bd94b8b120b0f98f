export const TEST_MASTER_KEY = 'a-master-key-that-only-tests-ever-use-0123456789';
